import assert from "node:assert/strict";
import { memoryMounts, readMountInfo, storageMounts } from "../../src/sysinfo/mount_table.ts";

const shown = (table: string) => storageMounts(readMountInfo(table)).map(({ mount, type }) => `${mount} ${type}`);

Deno.test("readMountInfo reads optional fields, escapes and options", () => {
  const [row] = readMountInfo(
    "36 35 98:0 /sub /mnt/my\\040disk rw,noatime shared:1 master:2 - ext3 /dev/root rw,errors=continue\n",
  );
  assert.deepEqual(row, {
    device: "98:0",
    root: "/sub",
    mount: "/mnt/my disk",
    type: "ext3",
    source: "/dev/root",
    options: "rw,errors=continue",
  });
  assert.deepEqual(readMountInfo("garbage\n\n1 2 3\n"), []);
});

Deno.test("storageMounts of a desktop leaves out snaps, memory and bind mounts", () => {
  const table = `22 1 0:21 / /proc rw - proc proc rw
23 1 259:2 / / rw - ext4 /dev/nvme0n1p2 rw
24 23 259:1 / /boot/efi rw - vfat /dev/nvme0n1p1 rw
25 23 7:0 / /snap/core20/1 ro - squashfs /dev/loop0 ro
26 23 0:30 / /run rw - tmpfs tmpfs rw
27 23 8:1 / /data rw - xfs /dev/sda1 rw
28 23 8:1 /photos /home/u/photos rw - xfs /dev/sda1 rw
29 23 0:40 / /mnt/nas rw - nfs4 nas:/export rw
30 23 0:41 / /run/user/1000/gvfs rw - fuse.gvfsd-fuse gvfsd-fuse rw
31 23 0:42 / /media/cd ro - iso9660 /dev/sr0 ro
32 23 0:43 / /var/lib/docker/overlay2/abc/merged rw - overlay overlay rw`;
  assert.deepEqual(shown(table), ["/ ext4", "/boot/efi vfat", "/data xfs", "/mnt/nas nfs4"]);
});

Deno.test("storageMounts shows subvolumes of one disk once, and the root directory for it", () => {
  const table = `1 0 0:31 /@home /home rw - btrfs /dev/vda2 rw
2 0 0:31 /@ / rw - btrfs /dev/vda2 rw
3 0 0:32 /@log /var/log rw - btrfs /dev/vda2 rw`;
  assert.deepEqual(shown(table), ["/ btrfs"]);
});

Deno.test("storageMounts of a container shows its root although that is an overlay", () => {
  const table = `500 400 0:60 / / rw - overlay overlay rw,lowerdir=/l
501 500 0:61 / /proc rw - proc proc rw
502 500 254:1 /var/lib/docker/volumes/v/_data /data rw - ext4 /dev/vda1 rw
503 500 254:1 /var/lib/docker/containers/c/hosts /etc/hosts rw - ext4 /dev/vda1 rw`;
  assert.deepEqual(shown(table), ["/ overlay", "/data ext4"]);
});

Deno.test("storageMounts takes what was mounted last over a directory", () => {
  assert.deepEqual(shown("1 1 0:2 / / rw - rootfs rootfs rw\n2 1 8:1 / / rw - ext4 /dev/sda1 rw"), ["/ ext4"]);
});

Deno.test("storageMounts knows that there is a root directory when the table does not", () => {
  assert.deepEqual(shown("1 0 8:1 / /data rw - ext4 /dev/sdb1 rw"), ["/ ", "/data ext4"]);
});

Deno.test("storageMounts shows a file system in memory that holds a root, and memoryMounts the others", () => {
  const table = `1 1 8:1 / / rw - ext4 /dev/sda1 rw
2 1 0:30 / /run rw - tmpfs tmpfs rw
3 1 0:31 / /mnt/ram rw - tmpfs tmpfs rw
4 1 7:0 / /snap/core rw - squashfs /dev/loop0 ro`;
  const rows = readMountInfo(table), roots = ["/mnt/ram/project", "/home/me"];
  assert.deepEqual(storageMounts(rows, roots).map(({ mount }) => mount), ["/", "/mnt/ram"]);
  assert.deepEqual(memoryMounts(rows, roots).map(({ mount }) => mount), ["/run"]);
});
