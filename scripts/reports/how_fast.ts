/** Text of docs/performance.md that says where the time of a call goes, and what keeps it short. @module */

/** A section in Markdown. */
export const HOW_FAST = `## How it is fast

**A start** reads no module: \`make build\` bundles each thread into one script, and V8's compiled code of it is stored beside the
script ([0020](decisions/0020-compile-when-building.md), [0025](decisions/0025-equal-code-caches.md)). Threads that not every session
needs (index, long output, programs at level \`landlock\`) are made by the first call that needs them. The self-test's child runs
while the server's thread is made.

**A short read** wakes two threads less than it might: what is small is read by the thread that opened it, and an answer of up to
4,096 bytes is written by the thread that has it, when the client takes it at once
([0023](decisions/0023-answer-on-the-asking-thread.md)). Each version of a file is copied once
behind a handle, however many pages are read of it ([0022](decisions/0022-copy-a-version-once.md)).

**An edit** is written to a new file, flushed to the disk and renamed, so that neither a reader nor a crash sees half of it: the
flush is most of its time, and is what other servers leave out.

**A program** waits for mounts: fifteen to thirty make up its namespace. The namespace of the next program is made after the last
one has ended, is used once, and only if one made at that moment would be the same; small files of \`/etc\` are copied in place of
mounted ([0041](decisions/0041-a-namespace-that-waits.md)). The first program of a session, one with input and one on a terminal
have a new namespace. What an outside thread must know for each call costs a few system calls: the kernel reports new guarded
files ([0034](decisions/0034-set-guarded-files-aside.md)).

**A search** is ripgrep's, streamed, and ended when enough is found. A question about code looks at chunks that have its words
([0039](decisions/0039-choose-candidates-from-lists.md)); indexed folders are watched, so that nothing is walked between changes
([0038](decisions/0038-watch-indexed-folders.md)).

**Nothing holds up the others.** Long output is condensed, and code is indexed, in threads of their own; what else may compute for
long does so in turns of a few milliseconds, or is refused. V8's young generation is small, which costs less than it saves
([0016](decisions/0016-small-young-generation.md)).

**What grows with use** is kept as sums and found by index: usage of a day among a million calls is read from sums by minute and
hour, and what a session has spent gets only what came since its last call (of 110,000 events, 42 ms before and 0.01 ms now).

A record of a call is in SQLite's log before its answer is sent: a \`kill -9\` of the server loses no record of an answered call. A
change of a file is on the disk, for a power cut too, before its answer is sent.
`;
