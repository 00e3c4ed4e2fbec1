/** Uses the clipboard if the page allows it, otherwise selects the text near the pressed button. */
export async function copyText(text: string, near: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, near);
  }
}

function copyBySelection(text: string, near: Element): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.className = 'hidden';
  near.after(area);
  area.select();
  let isCopied = false;
  try {
    isCopied = document.execCommand('copy');
  } catch {
    // Reported by the return value.
  }
  area.remove();
  (near as HTMLElement).focus();
  return isCopied;
}
