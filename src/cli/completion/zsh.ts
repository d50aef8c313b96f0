/** Generates the zsh completion script. @module */
import type { CommandRow, CompletionKind, OptionRow } from "./command_table.ts";
import type { Words } from "./words.ts";

/** Writes it; to be put as `_llmc-mcp` into a folder of $fpath, or to be sourced. */
export function zshScript(rows: readonly CommandRow[], words: Words): string {
  return `#compdef llmc-mcp
# zsh completion of llmc-mcp; made by: llmc-mcp completion zsh

_llmc_mcp_settings() {
  local -a settings=(${words.settings.join(" ")})
  compset -P '*=' && { _files; return }
  compadd -S = -- $settings
}

_llmc_mcp_tools() {
  local -a tools=(${Object.keys(words.tools).join(" ")})
  compadd -- $tools
}

_llmc_mcp_tool_arguments() {
  local -A arguments=(
${Object.entries(words.tools).map(([tool, args]) => `    ${tool} '${args.join(" ")}'`).join("\n")}
  )
  local word tool
  for word in \${words[2,CURRENT-1]}; do
    (( \${+arguments[$word]} )) && tool=$word
  done
  compset -P '*=' && { _files; return }
  compadd -S = -- \${(s: :)arguments[$tool]}
}

${rows.map(commandFunction).join("\n\n")}

# Sourced, it makes itself known; put into $fpath, it is called for its first completion.
if [[ $funcstack[1] == _llmc-mcp ]]; then _llmc_mcp "$@"; else compdef _llmc_mcp llmc-mcp; fi
`;
}

function functionName(path: string): string {
  return `_llmc_mcp${path === "" ? "" : `_${path.replaceAll(/[ -]/g, "_")}`}`;
}

function commandFunction({ path, options, commands, args, isVariadic }: CommandRow): string {
  const specs = options.flatMap(optionSpecs);
  if (commands.length > 0) return dispatcher(path, specs, commands);
  const positional = args.map((kind, index) =>
    `'${isVariadic && index === args.length - 1 ? "*" : index + 1}:${kind.kind}:${action(kind)}'`
  );
  return `${functionName(path)}() {\n  _arguments -s ${[...specs, ...positional].join(" \\\n    ")}\n}`;
}

function dispatcher(path: string, specs: readonly string[], commands: CommandRow["commands"]): string {
  const cases = commands.map(({ name }) => `    ${name}) ${functionName(`${path} ${name}`.trim())} ;;`);
  return `${functionName(path)}() {
  local curcontext=$curcontext state line
  local -a commands=(
${commands.map(({ name, description }) => `    '${name}:${quoted(description)}'`).join("\n")}
  )
  _arguments -C ${[...specs, "'1:command:->command'", "'*::argument:->argument'"].join(" \\\n    ")}
  case $state in
    command) _describe command commands ;;
    argument) case $line[1] in
${cases.join("\n")}
    esac ;;
  esac
}`;
}

function optionSpecs({ flags, description, value }: OptionRow): string[] {
  const text = `[${quoted(description).replaceAll(/([[\]])/g, "\\$1")}]`;
  // The same option may be given again: roots and settings add up.
  return flags.map((flag) => value === null ? `'${flag}${text}'` : `'*${flag}=${text}:${value.kind}:${action(value)}'`);
}

function action(kind: CompletionKind): string {
  switch (kind.kind) {
    case "directory":
      return "_files -/";
    case "file":
      return "_files";
    case "setting":
      return "_llmc_mcp_settings";
    case "tool":
      return "_llmc_mcp_tools";
    case "tool argument":
      return "_llmc_mcp_tool_arguments";
    case "choice":
      return `(${kind.choices.join(" ")})`;
    default:
      return " ";
  }
}

/** For text between single quotes in which colons separate. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(":", "\\:");
}
