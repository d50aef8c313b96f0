/* Preloaded: the time of day is off by as many seconds as the file that CLOCK_OFFSET names says, whenever it says it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static char path[4096];

__attribute__((constructor)) static void remember(void) {
  const char *named = getenv("CLOCK_OFFSET");
  for (size_t at = 0; named && named[at] && at + 1 < sizeof path; at++) path[at] = named[at];
}

static long offset(void) {
  char text[32] = {0};
  const int file = path[0] ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return 0;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  return length > 0 ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  const int result = syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += offset();
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &time) != 0) return -1;
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  if (now) *now = time.tv_sec;
  return time.tv_sec;
}
