/** Maps file name extensions to target folders. @module */

/** Folder and the endings that go there. An ending is in one group only. */
const GROUPS: Readonly<Record<string, string>> = {
  Documents:
    "pdf doc docx odt rtf txt md tex epub mobi djvu ps pages xls xlsx ods numbers csv tsv ppt pptx odp key ics vcf eml msg",
  Images: "jpg jpeg png gif webp svg bmp tif tiff heic heif avif ico psd xcf raw cr2 nef arw dng ai eps",
  Audio: "mp3 flac wav ogg oga opus m4a aac wma aiff mid midi",
  Video: "mp4 mkv webm avi mov wmv flv m4v mpg mpeg 3gp srt vtt",
  Archives: "zip tar gz tgz bz2 tbz2 xz txz zst tzst 7z rar lz lz4 lzma cpio",
  Programs: "deb rpm appimage flatpak flatpakref snap apk exe msi dmg pkg jar run iso img whl vsix crx xpi",
  Code:
    "js mjs cjs ts tsx jsx py ipynb rb go rs java kt c h cc cpp hpp cs php pl lua swift sh bash zsh ps1 html htm css scss sql json yaml yml toml xml ini conf diff patch log",
  Fonts: "ttf otf woff woff2",
};

const FOLDER_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(GROUPS).flatMap(([folder, endings]) => endings.split(" ").map((ending) => [ending, folder] as const)),
);

/** Whether a folder's name is that of a group, in any case. */
export function isGroupFolder(name: string): boolean {
  return Object.keys(GROUPS).some((folder) => folder.toLowerCase() === name.toLowerCase());
}

/** Endings of files that a browser or downloader still writes. */
const UNFINISHED = /\.(?:part|partial|crdownload|download|opdownload|aria2|tmp|temp|!qb|filepart)$/i;

/** Whether a name is that of a download that has not ended. */
export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name);
}

/** The folder for a name; null when the ending says nothing. */
export function folderFor(name: string): string | null {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? null : FOLDER_OF.get(name.slice(dot + 1).toLowerCase()) ?? null;
}

/** The name with a number before its ending: `report (2).pdf`, `code (2).tar.gz`. */
export function numberedName(name: string, number: number): string {
  const [, stem = name, ending = ""] = name.match(/^(.+?)((?:\.tar)?\.[^.]+)$/i) ?? [];
  return `${stem} (${number})${ending}`;
}
