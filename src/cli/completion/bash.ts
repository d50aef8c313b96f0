/** Generates the bash completion script, without dependencies. @module */
import type { CommandRow, CompletionKind } from "./command_table.ts";
import type { Words } from "./words.ts";

/** Writes it. */
export function bashScript(rows: readonly CommandRow[], words: Words): string {
  return `# bash completion of llmc-mcp; made by: llmc-mcp completion bash

_llmc_mcp_settings='${words.settings.map((key) => `${key}=`).join(" ")}'
_llmc_mcp_tools='${Object.keys(words.tools).join(" ")}'

_llmc_mcp_tool_arguments() {
  case $1 in
${
    Object.entries(words.tools).map(([tool, args]) =>
      `    ${tool}) echo '${args.map((arg) => `${arg}=`).join(" ")}' ;;`
    ).join("\n")
  }
  esac
}

# Options, commands and positional arguments of a command.
_llmc_mcp_command() {
  options= commands= args= variadic=
  case $1 in
${rows.map(commandCase).join("\n")}
  esac
}

# What the value of an option is; nothing when it has none.
_llmc_mcp_value() {
  case $1 in
${rows.flatMap(valueCases).join("\n")}
  esac
}

_llmc_mcp() {
  local line=\${COMP_LINE:0:COMP_POINT} word words path= options commands args variadic
  local kind= position=0 tool= skip= current
  # By blanks only: bash itself takes words apart at = and :
  read -r -a words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=\${words[\${#words[@]} - 1]}
  _llmc_mcp_command ""
  for word in "\${words[@]:1:\${#words[@]} - 2}"; do
    if [[ -n $skip ]]; then
      skip=
    elif [[ $word == -* ]]; then
      [[ $word != *=* && -n $(_llmc_mcp_value "$path $word") ]] && skip=$word
    elif [[ " $commands " == *" $word "* ]]; then
      path=\${path:+$path }$word
      _llmc_mcp_command "$path"
    else
      [[ $path == tool && $position == 0 ]] && tool=$word
      position=$((position + 1))
    fi
  done
  if [[ -n $skip ]]; then
    kind=$(_llmc_mcp_value "$path $skip")
  elif [[ $current == --*=* ]]; then
    kind=$(_llmc_mcp_value "$path \${current%%=*}") current=\${current#*=}
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  elif [[ -n $commands ]]; then
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
    return
  else
    read -r -a args <<<"$args"
    kind=\${args[position]}
    [[ -z $kind && -n $variadic ]] && kind=\${args[\${#args[@]} - 1]}
  fi
  # bash replaces only what follows the last = or :
  local tail=\${current##*[=:]}
  case $kind in
    directory) compopt -o filenames; COMPREPLY=($(compgen -d -- "$tail")) ;;
    file) compopt -o filenames; COMPREPLY=($(compgen -f -- "$tail")) ;;
    setting)
      compopt -o nospace
      if [[ $current == *=* ]]; then COMPREPLY=($(compgen -f -- "$tail"))
      else COMPREPLY=($(compgen -W "$_llmc_mcp_settings" -- "$current")); fi ;;
    tool) COMPREPLY=($(compgen -W "$_llmc_mcp_tools" -- "$current")) ;;
    tool-argument)
      compopt -o nospace
      if [[ $current == *=* ]]; then COMPREPLY=($(compgen -f -- "$tail"))
      else COMPREPLY=($(compgen -W "$(_llmc_mcp_tool_arguments "$tool")" -- "$current")); fi ;;
    choice:*)
      kind=\${kind#choice:}
      COMPREPLY=($(compgen -W "\${kind//,/ }" -- "$current")) ;;
  esac
}

complete -F _llmc_mcp llmc-mcp
`;
}

function commandCase({ path, options, commands, args, isVariadic }: CommandRow): string {
  const parts = [`options='${options.flatMap(({ flags }) => flags).join(" ")}'`];
  if (commands.length > 0) parts.push(`commands='${commands.map(({ name }) => name).join(" ")}'`);
  if (args.length > 0) parts.push(`args='${args.map(kindWord).join(" ")}'`);
  if (isVariadic) parts.push("variadic=1");
  return `    '${path}') ${parts.join(" ")} ;;`;
}

function valueCases({ path, options }: CommandRow): string[] {
  return options.flatMap(({ flags, value }) =>
    value === null ? [] : [`    ${flags.map((flag) => `'${path} ${flag}'`).join(" | ")}) echo '${kindWord(value)}' ;;`]
  );
}

/** One word; choices stand behind it, separated by commas that become blanks again. */
function kindWord(kind: CompletionKind): string {
  return kind.kind === "choice" ? `choice:${kind.choices.join(",")}` : kind.kind.replace(" ", "-");
}
