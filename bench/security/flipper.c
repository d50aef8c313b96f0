/*
 * Exchanges two names as fast as it can, or with a pause, until it is told to stop; then both are where they began.
 * Meanwhile it counts what is opened in a folder, by any program, as the kernel reports it.
 * usage: flipper NAME NAME PAUSE_MICROSECONDS WATCHED_FOLDER; prints "ready", at the end EXCHANGES OPENED
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE (1 << 1)
#endif

static volatile sig_atomic_t stopped;

static void stop(int number) {
  (void)number;
  stopped = 1;
}

static void wait_microseconds(long pause) {
  struct timespec time = {0, pause * 1000};
  if (pause > 0) nanosleep(&time, NULL);
}

static long count_events(int queue) {
  static char buffer[65536] __attribute__((aligned(8)));
  long events = 0, length;
  while ((length = read(queue, buffer, sizeof buffer)) > 0) {
    for (char *at = buffer; at < buffer + length; at += sizeof(struct inotify_event) + ((struct inotify_event *)at)->len) {
      events++;
    }
  }
  return events;
}

int main(int count, char **arguments) {
  if (count != 5) return 64;
  const long pause = atol(arguments[3]);
  const int queue = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  long swaps = 0, opened = 0;
  if (queue < 0 || inotify_add_watch(queue, arguments[4], IN_OPEN) < 0) return 1;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGTERM, stop);
  signal(SIGALRM, stop);
  alarm(120); /* nobody forgets it running */
  puts("ready");
  fflush(stdout);
  while (!stopped) {
    for (int half = 0; half < 2; half++) {
      if (renameat2(AT_FDCWD, arguments[1], AT_FDCWD, arguments[2], RENAME_EXCHANGE) != 0) {
        perror("renameat2");
        return 1;
      }
      swaps++;
      wait_microseconds(pause);
    }
    if (swaps % 1024 == 0) opened += count_events(queue);
  }
  printf("%ld %ld\n", swaps, opened + count_events(queue));
  return 0;
}
