/** Compares trees before and after an undo. @module */
import assert from "node:assert/strict";

/** Everything that is to be restored, of a tree: what Python sees of names, modes, links, contents and attributes. */
export async function snapshot(root: string): Promise<string> {
  const code = `
import hashlib, os, re, stat
litter = re.compile(r"\\.llmc-[0-9a-f]{24}\\.tmp").fullmatch  # of a killed server, swept later
for folder, names, files in sorted(os.walk(${JSON.stringify(root)})):
  for path in [folder] + [os.path.join(folder, name) for name in sorted(names + files) if not litter(name)]:
    facts = os.lstat(path)
    if stat.S_ISLNK(facts.st_mode): print(path, "link", os.readlink(path)); continue
    extra = {name: os.getxattr(path, name) for name in os.listxattr(path) if not name.startswith("security.")}
    content = hashlib.sha256(open(path, "rb").read()).hexdigest() if stat.S_ISREG(facts.st_mode) else ""
    print(path, oct(facts.st_mode), facts.st_uid, facts.st_gid, facts.st_nlink if content else "", extra, content)
`;
  const { success, stdout, stderr } = await new Deno.Command("python3", { args: ["-c", code] }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
