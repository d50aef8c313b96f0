/** Compresses contents that are kept, on another thread. @module */
import { promisify } from "node:util";
import { constants, deflateRaw, inflateRaw } from "node:zlib";

const pack = promisify<Uint8Array, { level: number }, Uint8Array>(deflateRaw),
  unpack = promisify<Uint8Array, Uint8Array>(inflateRaw);

/** Compresses, quickly rather than well. */
export async function compress(bytes: Uint8Array): Promise<Uint8Array> {
  return await pack(bytes, { level: constants.Z_BEST_SPEED });
}

/** Gives back what {@link compress} was given. */
export async function expand(bytes: Uint8Array): Promise<Uint8Array> {
  return await unpack(bytes);
}
