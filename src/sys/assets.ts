/** Reads embedded files (ripgrep, grammars) from the source tree or from the executable. @module */
import { once } from "../core/once.ts";
import { isBundled, ownPath } from "./own_files.ts";
import { type AssetInfo, EXECUTABLE, openPack } from "./pack.ts";

/** The program's own files, by name relative to `assets/`. */
export interface Assets {
  /** Every asset that was vendored; empty when none was. */
  list(): Promise<Readonly<Record<string, AssetInfo>>>;
  /** @throws Error when there is no such asset. */
  read(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Name of the list that the vendoring step writes beside the files. */
const MANIFEST = "manifest.json";
const NAME = /^[\w-]+(?:[./][\w-]+)*$/;

/**
 * The assets of this program. They need every permission of the runtime: the main thread uses them, and lends them to
 * narrowed workers with {@link serveAssets}.
 */
export function makeAssets(): Assets {
  return isBundled ? packedAssets(EXECUTABLE) : folderAssets(ownPath("assets"));
}

/** Those in a folder, with their manifest. */
export function folderAssets(dir: string): Assets {
  return {
    async list() {
      try {
        return JSON.parse(await Deno.readTextFile(`${dir}/${MANIFEST}`));
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return {};
        throw error;
      }
    },
    async read(name) {
      checkName(name);
      try {
        return await Deno.readFile(`${dir}/${name}`);
      } catch (error) {
        throw error instanceof Deno.errors.NotFound ? missing(name) : error;
      }
    },
  };
}

/** Those that an executable carries. */
export function packedAssets(program: string): Assets {
  const open = once(() => openPack(program));
  return {
    list() {
      const assets: Record<string, AssetInfo> = {};
      for (const [name, { asset }] of open().index) if (asset) assets[name] = asset;
      return Promise.resolve(assets);
    },
    async read(name) {
      checkName(name);
      const bytes = open().read(name);
      if (bytes === null) throw missing(name);
      return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).bytes();
    },
  };
}

function checkName(name: string): void {
  if (!NAME.test(name)) throw new Error(`'${name}' is not the name of an asset`);
}

function missing(name: string): Error {
  return new Error(`there is no asset '${name}'; run: deno task vendor`);
}

interface AssetRequest {
  readonly id: number;
  /** Null asks for the list. */
  readonly name: string | null;
}

interface AssetReply {
  readonly id: number;
  readonly value?: Uint8Array<ArrayBuffer> | Readonly<Record<string, AssetInfo>>;
  readonly error?: string;
}

/** Answers {@link assetsOver} at the other end of `port`, until the port is closed. Bytes are moved, not copied. */
export function serveAssets(port: MessagePort, assets: Assets): void {
  port.onmessage = async ({ data: { id, name } }: MessageEvent<AssetRequest>) => {
    try {
      const value = name === null ? await assets.list() : await assets.read(name);
      port.postMessage({ id, value } satisfies AssetReply, value instanceof Uint8Array ? [value.buffer] : []);
    } catch (error) {
      port.postMessage({ id, error: error instanceof Error ? error.message : String(error) } satisfies AssetReply);
    }
  };
}

/** The same assets, asked for over a port whose other end {@link serveAssets} holds; nothing is sent before it is needed. */
export function assetsOver(port: MessagePort): Assets {
  const waiting = new Map<number, { resolve(value: AssetReply["value"]): void; reject(error: Error): void }>();
  let nextId = 0;
  port.onmessage = ({ data: { id, value, error } }: MessageEvent<AssetReply>) => {
    const caller = waiting.get(id);
    waiting.delete(id);
    if (error !== undefined) caller?.reject(new Error(error));
    else caller?.resolve(value);
  };
  const ask = (name: string | null) =>
    new Promise<AssetReply["value"]>((resolve, reject) => {
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      port.postMessage({ id, name } satisfies AssetRequest);
    });
  return {
    async list() {
      const value = await ask(null);
      return value === undefined || value instanceof Uint8Array ? {} : value;
    },
    async read(name) {
      const value = await ask(name);
      if (value instanceof Uint8Array) return value;
      throw new Error(`asset '${name}' has no content`);
    },
  };
}
