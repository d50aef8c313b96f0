/** Defines open(2) flags for this architecture. @module */

const IS_ARM = Deno.build.arch === "aarch64";

/** Closes the descriptor in programs that are started. */
export const O_CLOEXEC = 0o2000000;
/** Does not wait for the other end of a pipe. */
export const O_NONBLOCK = 0o4000;
/** Refuses anything but a folder. */
export const O_DIRECTORY = IS_ARM ? 0o40000 : 0o200000;
/** Refuses a link at the end. */
export const O_NOFOLLOW = IS_ARM ? 0o100000 : 0o400000;
