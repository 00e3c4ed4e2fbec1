import type { Context } from '../context.ts';
import type { Values } from '../output/values.ts';

/**
 * The shells ask this program for completions, so that they are always up to date. Where there are
 * none, they complete file names, for `--data @…` and the like.
 */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# Goodword: completion for bash. Load it with: source <(goodword completion bash)
_goodword() {
  local line=() last=0 rest=\${COMP_LINE#*"\${COMP_WORDS[0]}"} piece= front= word i
  # Bash takes words apart at = and :, which belong to them here: what no space parts is one word.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    piece=\${COMP_WORDS[i]}
    if [[ $rest == [[:space:]]* ]]; then last=$((last + 1)); fi
    line[last]=\${line[last]-}$piece
    rest=\${rest#*"$piece"}
  done
  # Only the last piece is replaced, and a lone = or : is kept.
  front=\${line[last]}
  if [[ $piece == *[!=:]* ]]; then front=\${front%"$piece"}; fi
  COMPREPLY=()
  while IFS= read -r word; do
    COMPREPLY+=("\${word#"$front"}")
  done < <(goodword __complete "\${line[@]}" 2>/dev/null)
  return 0
}
complete -o default -F _goodword goodword
`,
  zsh: `#compdef goodword
# Goodword: completion for zsh. Load it with: source <(goodword completion zsh)
_goodword() {
  local -a found
  found=("\${(@f)$(goodword __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found[1]" ]]; then compadd -a found; else _files; fi
}
if [[ "$funcstack[1]" = _goodword ]]; then _goodword; else compdef _goodword goodword; fi
`,
  fish: `# Goodword: completion for fish. Load it with: goodword completion fish | source
function __goodword_complete
  set -l line (commandline -opc) (commandline -ct)
  goodword __complete $line[2..-1] 2>/dev/null
end
complete -c goodword -f -a '(__goodword_complete)'
`,
};

export async function runCompletion({ io }: Context, values: Values): Promise<undefined> {
  await io.out(SCRIPTS[String(values.shell)] ?? '');
}
