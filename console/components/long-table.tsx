import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { Fragment, type ReactNode, useRef, useState } from "react";
import type { LongList } from "./long-list";

interface LongTableProps extends LongList<"tr"> {
  label: string;
  /** Number of columns. */
  width: number;
  head: ReactNode;
}

const ROW_HEIGHT_PX = 37;

/**
 * A table of very many rows with its own scroll area: only the visible rows and the focused one are in the document.
 * Gaps replace the others, and assistive technology gets the true count.
 */
const LongTable = ({ label, width, head, count, keyOf, row, end }: LongTableProps) => {
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<number>();
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT_PX,
    getItemKey: keyOf,
    overscan: 8,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return focused === undefined || focused >= count || shown.includes(focused)
        ? shown
        : [...shown, focused].sort((a, b) => a - b);
    },
  });

  const items = virtualizer.getVirtualItems();
  const gap = (height: number) =>
    height > 0 && (
      <tr aria-hidden style={{ height }}>
        <td colSpan={width} />
      </tr>
    );
  return (
    // The router scrolls elements with this mark to the top on another page or order, and restores them on back.
    <div ref={scroller} data-rows className="max-h-[max(320px,calc(100dvh-260px))] overflow-auto">
      <table
        aria-label={label}
        // The header counts as a row. While more rows may come, the count is unknown.
        aria-rowcount={end ? -1 : count + 1}
        className="w-full border-collapse text-sm tabular-nums"
      >
        {head}
        <tbody
          onFocus={(event) => {
            const index = Number(event.target.closest("tr")?.dataset.index);
            setFocused(Number.isInteger(index) ? index : undefined);
          }}
          onBlur={() => setFocused(undefined)}
        >
          {items.map((item, at) => (
            <Fragment key={item.key}>
              {gap(item.start - (items[at - 1]?.end ?? 0))}
              {row(item.index, {
                ref: virtualizer.measureElement,
                "data-index": item.index,
                "aria-rowindex": item.index + 2,
              })}
            </Fragment>
          ))}
          {gap(virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0))}
        </tbody>
      </table>
      {end}
    </div>
  );
};

export default LongTable;
