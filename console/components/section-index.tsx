import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { openCard } from "./setting-card";

/** The part of the window in which a card counts as being read: below the header, in the upper half. */
const READING = { rootMargin: "-73px 0px -50% 0px" };

export interface IndexedCard {
  /** Of its element. */
  id: string;
  title: string;
}

/** The first visible card. */
const useCardInView = (cards: readonly IndexedCard[]): string | undefined => {
  const [inView, setInView] = useState<ReadonlySet<string>>(new Set());
  const ids = cards.map(({ id }) => id).join(" ");
  // An effect, because the page's scroll is outside React.
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) =>
        setInView((now) => {
          const next = new Set(now);
          for (const { isIntersecting, target } of entries)
            if (isIntersecting) next.add(target.id);
            else next.delete(target.id);
          return next;
        }),
      READING,
    );
    for (const id of ids.split(" ")) {
      const card = document.getElementById(id);
      if (card) observer.observe(card);
    }
    return () => observer.disconnect();
  }, [ids]);
  return cards.find(({ id }) => inView.has(id))?.id;
};

const showCard = (id: string, behavior: ScrollBehavior): void => {
  const card = document.getElementById(id);
  if (!card) return;
  openCard(card);
  card.scrollIntoView({ behavior, block: "start" });
};

interface IndexedCardsProps {
  cards: readonly IndexedCard[];
  children: ReactNode;
}

/** Cards below each other, with an index beside them if there is room. */
export const IndexedCards = ({ cards, children }: IndexedCardsProps) => {
  const { t } = useTranslation();
  const inView = useCardInView(cards);
  const { hash } = useLocation();
  // Scrolls after rendering: the cards did not exist when the browser looked for the one in the address.
  useEffect(() => showCard(hash, "instant"), [hash]);
  return (
    <div className="grid items-start gap-x-6 xl:grid-cols-[168px_minmax(0,1fr)]">
      <nav
        aria-label={t("setting.search.index")}
        className="sticky top-20 hidden max-h-[calc(100dvh-8rem)] overflow-y-auto xl:block"
      >
        <ul className="flex flex-col">
          {cards.map(({ id, title }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                aria-current={id === inView ? "location" : undefined}
                className="flex min-h-8 items-center rounded-md px-2.5 text-sm text-ink-2 hover:bg-hover hover:text-ink aria-[current=location]:bg-accent-soft aria-[current=location]:text-accent"
                // The address names a setting; a card is only scrolled into view.
                onClick={(event) => {
                  event.preventDefault();
                  showCard(id, "smooth");
                }}
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </div>
  );
};
