import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { type KeyboardEvent, useState } from "react";
import type { BarLines } from "./bar-lines";

interface LinkedBarsProps {
  label: string;
  bars: readonly { title: string; className: string; lines: BarLines | undefined }[];
  className: string;
}

/** Bars that lead to the log: one tab stop, between whose links the arrow keys move. */
export const LinkedBars = ({ label, bars, className }: LinkedBarsProps) => {
  const [chosen, setChosen] = useState<number>();
  const last = bars.findLastIndex(({ lines }) => lines !== undefined);
  const stop = chosen !== undefined && bars[chosen]?.lines ? chosen : last;
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const links = [...event.currentTarget.querySelectorAll("a")];
    const next = links[links.indexOf(event.target as HTMLAnchorElement) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, and these are links.
    <span role="group" aria-label={label} className={className} onKeyDown={move}>
      {bars.map(({ title, className: look, lines }, index) => {
        const props = { title, className: look };
        // biome-ignore lint/suspicious/noArrayIndexKey: only its position identifies a bar.
        if (!lines) return <span key={index} {...props} />;
        return (
          <Link
            // biome-ignore lint/suspicious/noArrayIndexKey: only its position identifies a bar.
            key={index}
            {...props}
            to="/log"
            search={lines}
            aria-label={title}
            className={clsx(look, "hover:opacity-70")}
            tabIndex={index === stop ? 0 : -1}
            onFocus={() => setChosen(index)}
          />
        );
      })}
    </span>
  );
};
