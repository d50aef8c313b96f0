/** Names the encodings in which text files are read and written, and decodes them. @module */

/** Older encodings by the WHATWG name that `TextDecoder` knows, and their usual name. */
const OLDER = {
  "shift_jis": "Shift-JIS",
  "euc-jp": "EUC-JP",
  "euc-kr": "EUC-KR",
  "gbk": "GBK",
  "gb18030": "GB18030",
  "big5": "Big5",
  "windows-874": "TIS-620",
  "ibm866": "CP866",
  "koi8-r": "KOI8-R",
  "koi8-u": "KOI8-U",
  "windows-1250": "Windows-1250",
  "windows-1251": "Windows-1251",
  "windows-1252": "Windows-1252",
  "windows-1253": "Windows-1253",
  "windows-1254": "Windows-1254",
  "windows-1255": "Windows-1255",
  "windows-1256": "Windows-1256",
  "windows-1257": "Windows-1257",
  "windows-1258": "Windows-1258",
  "iso-8859-2": "ISO-8859-2",
  "iso-8859-3": "ISO-8859-3",
  "iso-8859-4": "ISO-8859-4",
  "iso-8859-5": "ISO-8859-5",
  "iso-8859-6": "ISO-8859-6",
  "iso-8859-7": "ISO-8859-7",
  "iso-8859-8": "ISO-8859-8",
  "iso-8859-10": "ISO-8859-10",
  "iso-8859-13": "ISO-8859-13",
  "iso-8859-14": "ISO-8859-14",
  "iso-8859-15": "ISO-8859-15",
  "iso-8859-16": "ISO-8859-16",
  "macintosh": "Mac Roman",
} as const;

/** An encoding with one to four bytes for each character, in which ASCII is as it is everywhere. */
export type OlderEncoding = keyof typeof OLDER;
/** An encoding in which each character has at least two bytes. */
export type WideEncoding = "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be";
/** An encoding that a file may be read and written in. */
export type KnownEncoding = "utf-8" | WideEncoding | OlderEncoding;
/** How a text is encoded; `8-bit` is an encoding that is not UTF-8 and was not recognised, shown with U+FFFD. */
export type Encoding = KnownEncoding | "8-bit";

/** Names that other programs use, and `TextDecoder` does not know. */
const OTHER_NAMES: Readonly<Record<string, KnownEncoding>> = {
  "cp932": "shift_jis",
  "euc-jis-2004": "euc-jp",
  "cp936": "gbk",
  "cp949": "euc-kr",
  "cp950": "big5",
  "cp874": "windows-874",
  "utf-16": "utf-16le",
  "utf-32": "utf-32le",
  "utf-32le": "utf-32le",
  "utf-32be": "utf-32be",
};

/** Whether it is one of the older encodings. */
export function isOlder(encoding: string): encoding is OlderEncoding {
  return Object.hasOwn(OLDER, encoding);
}

/** Whether line ends cannot be found byte by byte. */
export function isWide(encoding: Encoding | "mixed"): encoding is WideEncoding {
  return encoding.startsWith("utf-16") || encoding.startsWith("utf-32");
}

/** The usual name of an encoding. @param encoding An {@link Encoding}. */
export function titleOf(encoding: string): string {
  return isOlder(encoding) ? OLDER[encoding] : encoding === "8-bit" ? encoding : encoding.toUpperCase();
}

/** The encoding of a name in any usual spelling (`sjis`, `cp1251`, `Latin-1`); null for others. */
export function encodingNamed(name: string): KnownEncoding | null {
  const plain = name.trim().toLowerCase().replaceAll("_", "-");
  const other = OTHER_NAMES[plain];
  if (other !== undefined) return other;
  for (const spelling of [plain, plain.replaceAll("-", "_"), plain.replaceAll("-", "")]) {
    const known = labelOf(spelling);
    if (known === "utf-8" || known === "utf-16le" || known === "utf-16be" || isOlder(known)) return known;
  }
  return null;
}

function labelOf(spelling: string): string {
  try {
    return new TextDecoder(spelling).encoding;
  } catch {
    return "";
  }
}

/** Turns bytes into text, in pieces. */
export interface PieceDecoder {
  /** The text of the next bytes; a character that is not whole yet waits for the next piece. */
  decode(bytes: Uint8Array, options?: { readonly stream?: boolean }): string;
}

/** Makes a decoder; what cannot be decoded becomes U+FFFD. @param encoding `8-bit` is decoded as UTF-8. */
export function makeDecoder(encoding: Encoding): PieceDecoder {
  if (encoding === "utf-32le" || encoding === "utf-32be") return utf32Decoder(encoding === "utf-32le");
  return new TextDecoder(encoding === "8-bit" ? "utf-8" : encoding, { ignoreBOM: true });
}

function utf32Decoder(isLittle: boolean): PieceDecoder {
  let rest = new Uint8Array();
  return {
    decode(bytes, { stream = false } = {}) {
      const all = new Uint8Array(rest.length + bytes.length);
      all.set(rest);
      all.set(bytes, rest.length);
      const view = new DataView(all.buffer), whole = all.length - all.length % 4, parts: string[] = [];
      for (let at = 0; at < whole; at += 4) parts.push(characterOf(view.getUint32(at, isLittle)));
      rest = all.slice(whole);
      if (!stream && rest.length > 0) {
        parts.push("\ufffd");
        rest = new Uint8Array();
      }
      return parts.join("");
    },
  };
}

function characterOf(code: number): string {
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}
