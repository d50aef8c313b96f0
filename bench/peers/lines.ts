/** Reads the output of a server line by line. @module */

/** Calls back with every line; what a large result is made of is joined once. */
export async function readLines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onLine: (line: string) => void,
): Promise<void> {
  let pieces: string[] = [];
  for await (let text of stream.pipeThrough(new TextDecoderStream())) {
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      pieces.push(text.slice(0, end));
      onLine(pieces.join(""));
      pieces = [];
      text = text.slice(end + 1);
    }
    if (text !== "") pieces.push(text);
  }
  if (pieces.length > 0) onLine(pieces.join(""));
}
