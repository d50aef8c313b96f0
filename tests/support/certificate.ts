/** Certificates for servers under test. @module */
import assert from "node:assert/strict";

/** A certificate for 127.0.0.1 and localhost that signs itself. */
export async function makeCertificate(dir: string): Promise<{ certFile: string; keyFile: string; cert: string }> {
  const certFile = `${dir}/cert.pem`, keyFile = `${dir}/key.pem`;
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const leaf = ["-addext", "basicConstraints=critical,CA:FALSE"];
  const made = await new Deno.Command("openssl", {
    args: [...request, ...subject, ...leaf, "-keyout", keyFile, "-out", certFile],
    stderr: "piped",
  }).output();
  assert.ok(made.success, new TextDecoder().decode(made.stderr));
  return { certFile, keyFile, cert: await Deno.readTextFile(certFile) };
}

/** Options of `serve` that switch HTTPS on. */
export function tlsOptions(certFile: string, keyFile: string): string[] {
  const keys = { tls_enabled: "true", tls_cert_file: certFile, tls_key_file: keyFile };
  return Object.entries(keys).flatMap(([key, value]) => ["--set", `mcp.server.${key}=${value}`]);
}
