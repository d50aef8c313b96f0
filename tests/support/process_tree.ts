/** A program that uses every known way to outlive the process that started it. @module */
import { processesOf } from "./processes.ts";

/** For python3; its argument names the tree. It becomes the last sleeper itself. */
export const TREE_SCRIPT = `
import os, sys
name = sys.argv[1]
null = os.open(os.devnull, os.O_RDWR)

def sleeper(kind):
    os.execvp("sleep", ["sleep", f"600{kind}.{name}"])

def fork(then):
    if os.fork() == 0:
        then()
        os._exit(0)

def quiet():
    for fd in range(3):
        os.dup2(null, fd)

def own_session():
    quiet()
    os.setsid()
    sleeper(1)

def double_fork():
    quiet()
    fork(lambda: sleeper(2))

def daemon():
    os.setsid()
    os.chdir("/")
    quiet()
    fork(lambda: sleeper(3))

def pipe_holder():
    fork(lambda: sleeper(4))

def without_environment():
    quiet()
    os.setsid()
    os.execve("/usr/bin/sleep", ["sleep", f"6006.{name}"], {})

for member in (own_session, double_fork, daemon, pipe_holder, without_environment):
    fork(member)
sleeper(5)
`;

/** How many processes a tree has once it is complete. */
export const TREE_SIZE = 6;

/** A name that no other process on the machine has; digits, because it may be part of a number of seconds. */
export function treeName(): string {
  return `${crypto.getRandomValues(new Uint32Array(1))[0]}`.padStart(10, "0");
}

/** What is left of a tree. */
export function membersOf(name: string): Promise<string[]> {
  return processesOf(new RegExp(`^sleep 600\\d\\.${name}$`));
}
