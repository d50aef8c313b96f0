/** Generates the fish completion script. @module */
import type { CommandRow, CompletionKind, OptionRow } from "./command_table.ts";
import type { Words } from "./words.ts";

/** Writes it. */
export function fishScript(rows: readonly CommandRow[], words: Words): string {
  const valued = rows.flatMap(({ options }) =>
    options.filter(({ value }) => value !== null).flatMap(({ flags }) => flags)
  );
  return `# fish completion of llmc-mcp; made by: llmc-mcp completion fish

set -g __llmc_mcp_settings ${words.settings.join(" ")}
set -g __llmc_mcp_tools ${Object.keys(words.tools).join(" ")}

# The words before the cursor that are neither options nor their values.
function __llmc_mcp_words
    set -l skip
    for word in (commandline -opc)[2..]
        if set -q skip[1]
            set -e skip
        else if contains -- $word ${[...new Set(valued)].join(" ")}
            set skip $word
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

# Whether these words lead to the command that is being typed.
function __llmc_mcp_at
    set -l words (__llmc_mcp_words)
    set -l wanted (string split -n ' ' -- "$argv")
    set -l length (count $wanted)
    test $length -eq 0; and return 0
    test (count $words) -ge $length; and test "$words[1..$length]" = "$wanted"
end

# Whether exactly these words stand before the cursor.
function __llmc_mcp_after
    test "$(__llmc_mcp_words | string join ' ')" = "$argv"
end

function __llmc_mcp_list_settings
    string match -q -- '*=*' (commandline -ct); and return
    printf '%s=\\n' $__llmc_mcp_settings
end

function __llmc_mcp_list_arguments
    switch (__llmc_mcp_words)[2]
${
    Object.entries(words.tools).map(([tool, args]) =>
      `        case ${tool}\n            printf '%s=\\n' ${args.join(" ")}`
    ).join("\n")
  }
    end
end

complete -c llmc-mcp -f
${rows.flatMap(commandLines).join("\n")}
`;
}

function commandLines({ path, commands, options, args }: CommandRow): string[] {
  const at = `-n '__llmc_mcp_at ${path}'`, after = `-n '__llmc_mcp_after ${path}'`;
  return [
    ...commands.map(({ name, description }) => `complete -c llmc-mcp ${after} -a ${name} -d ${quoted(description)}`),
    ...options.map((option) => `complete -c llmc-mcp ${at} ${optionWords(option)}`),
    ...args.flatMap((kind, index) => argumentLines(kind, index === 0 ? after : at)),
  ];
}

function argumentLines(kind: CompletionKind, condition: string): string[] {
  const offered = offer(kind);
  return offered === "" ? [] : [`complete -c llmc-mcp ${condition} ${offered}`];
}

function optionWords({ flags, description, value }: OptionRow): string {
  const names = flags.map((flag) => flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`);
  return [...names, "-d", quoted(description), ...value === null ? [] : ["-x", offer(value)]].join(" ").trim();
}

function offer(kind: CompletionKind): string {
  switch (kind.kind) {
    case "directory":
      return "-a '(__fish_complete_directories (commandline -ct))'";
    case "file":
      return "-a '(__fish_complete_path (commandline -ct))'";
    case "setting":
      return "-a '(__llmc_mcp_list_settings)'";
    case "tool":
      return "-a '$__llmc_mcp_tools'";
    case "tool argument":
      return "-a '(__llmc_mcp_list_arguments)'";
    case "choice":
      return `-a '${kind.choices.join(" ")}'`;
    default:
      return "";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
