import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { Fragment, useLayoutEffect, useRef, useState } from "react";
import type { LongList } from "./long-list";

const CARD_HEIGHT_PX = 220;

/** Very many cards on a narrow screen: only the visible ones are in the document. The page itself scrolls. */
const LongCards = ({ count, keyOf, row, end }: LongList<"li">) => {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => CARD_HEIGHT_PX,
    getItemKey: keyOf,
    overscan: 4,
    scrollMargin: top,
  });

  // The list's position is only known after rendering.
  useLayoutEffect(() => setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);

  const items = virtualizer.getVirtualItems();
  const shown = { start: items[0]?.start ?? top, end: items.at(-1)?.end ?? top };
  return (
    <>
      <ul
        ref={list}
        style={{
          paddingTop: shown.start - top,
          paddingBottom: Math.max(0, virtualizer.getTotalSize() + top - shown.end),
        }}
      >
        {items.map((item) => (
          <Fragment key={item.key}>
            {row(item.index, {
              ref: virtualizer.measureElement,
              "data-index": item.index,
              "aria-setsize": end ? -1 : count,
              "aria-posinset": item.index + 1,
            })}
          </Fragment>
        ))}
      </ul>
      {end}
    </>
  );
};

export default LongCards;
