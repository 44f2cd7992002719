import { useEffect, type RefObject } from 'react';

/** Shows the whole text of a cell that is cut off, while the pointer is on it. */
export function useCutText(table: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    const element = table.current;
    if (!isShown || element === null) return;
    element.addEventListener('mouseover', showCutText);
    return () => element.removeEventListener('mouseover', showCutText);
  }, [table, isShown]);
}

function showCutText({ target }: MouseEvent): void {
  if (!(target instanceof HTMLElement) || target.title !== '' || target.scrollWidth <= target.clientWidth) return;
  if (getComputedStyle(target).textOverflow !== 'ellipsis') return;
  target.title = target.textContent;
  // The element can get another text, such as that of another row.
  target.addEventListener('mouseleave', () => target.removeAttribute('title'), { once: true });
}
