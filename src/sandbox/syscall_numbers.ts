/** Lists the system call numbers that the filter uses, for each supported architecture. @module */

/** Numbers of one architecture; a call that it does not have is absent. */
export type SyscallNumbers = Readonly<Partial<Record<SyscallName, number>>>;

/** Calls that have the same number everywhere, because they were added after the tables were unified. */
const UNIFIED = {
  pidfd_getfd: 438,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  openat2: 437,
  mount_setattr: 442,
  fchmodat2: 452,
  setxattrat: 463,
  removexattrat: 466,
} as const;

const X86_64 = {
  ...UNIFIED,
  open: 2,
  ioctl: 16,
  socket: 41,
  clone: 56,
  truncate: 76,
  rename: 82,
  mkdir: 83,
  rmdir: 84,
  creat: 85,
  link: 86,
  unlink: 87,
  symlink: 88,
  chmod: 90,
  fchmod: 91,
  chown: 92,
  fchown: 93,
  lchown: 94,
  ptrace: 101,
  mknod: 133,
  pivot_root: 155,
  mount: 165,
  umount2: 166,
  init_module: 175,
  delete_module: 176,
  setxattr: 188,
  lsetxattr: 189,
  fsetxattr: 190,
  removexattr: 197,
  lremovexattr: 198,
  fremovexattr: 199,
  kexec_load: 246,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  openat: 257,
  mkdirat: 258,
  mknodat: 259,
  fchownat: 260,
  unlinkat: 263,
  renameat: 264,
  linkat: 265,
  symlinkat: 266,
  fchmodat: 268,
  unshare: 272,
  perf_event_open: 298,
  open_by_handle_at: 304,
  setns: 308,
  process_vm_readv: 310,
  process_vm_writev: 311,
  kcmp: 312,
  finit_module: 313,
  renameat2: 316,
  seccomp: 317,
  memfd_create: 319,
  kexec_file_load: 320,
  bpf: 321,
  execveat: 322,
  userfaultfd: 323,
} as const;

const AARCH64 = {
  ...UNIFIED,
  setxattr: 5,
  lsetxattr: 6,
  fsetxattr: 7,
  removexattr: 14,
  lremovexattr: 15,
  fremovexattr: 16,
  ioctl: 29,
  mknodat: 33,
  mkdirat: 34,
  unlinkat: 35,
  symlinkat: 36,
  linkat: 37,
  renameat: 38,
  umount2: 39,
  mount: 40,
  pivot_root: 41,
  truncate: 45,
  fchmod: 52,
  fchmodat: 53,
  fchownat: 54,
  fchown: 55,
  openat: 56,
  unshare: 97,
  kexec_load: 104,
  init_module: 105,
  delete_module: 106,
  ptrace: 117,
  socket: 198,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  clone: 220,
  perf_event_open: 241,
  open_by_handle_at: 265,
  setns: 268,
  process_vm_readv: 270,
  process_vm_writev: 271,
  kcmp: 272,
  finit_module: 273,
  renameat2: 276,
  seccomp: 277,
  memfd_create: 279,
  bpf: 280,
  execveat: 281,
  userfaultfd: 282,
  kexec_file_load: 294,
} as const;

/** A call of which some architecture has a number. */
export type SyscallName = keyof typeof X86_64;

/** What the kernel calls an architecture, and its numbers. */
export interface Architecture {
  /** AUDIT_ARCH_* of linux/audit.h. */
  readonly audit: number;
  readonly numbers: SyscallNumbers;
  /** From here on numbers belong to another calling convention of the same architecture (x32). */
  readonly foreignFrom: number | null;
}

/** By Deno's name. */
export const ARCHITECTURES: Readonly<Record<typeof Deno.build.arch, Architecture>> = {
  x86_64: { audit: 0xc000003e, numbers: X86_64, foreignFrom: 0x40000000 },
  aarch64: { audit: 0xc00000b7, numbers: AARCH64, foreignFrom: null },
};
