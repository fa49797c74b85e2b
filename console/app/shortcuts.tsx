import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button";
import { LazyBoundary } from "../components/lazy-boundary";

/** Where `g` and a letter lead. */
const GO: Readonly<Record<string, string>> = {
  d: "/dashboard",
  c: "/channel",
  t: "/token",
  u: "/user",
  l: "/log",
  s: "/setting",
};

/** Within this time the letter follows `g`. */
const GO_MS = 1500;

const loadMenu = async () => {
  const menu = await import("./command-menu");
  await menu.loadCommandTexts();
  return menu;
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** The keys that hold on every page: ⌘K or Ctrl+K, `/`, and `g` with a letter; and a button for who does not know them. */
const Shortcuts = () => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const goneAt = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setOpen((before) => !before);
        return;
      }
      const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event.target);
      // What stands over the page has the keys.
      if (!isPlain || document.querySelector("[role=dialog], [role=alertdialog], [role=menu]")) return;
      const to = GO[event.key];
      if (event.timeStamp - goneAt.current < GO_MS && to !== undefined) void navigate({ href: to });
      goneAt.current = event.key === "g" ? event.timeStamp : 0;
      const search = document.querySelector<HTMLElement>("input[type=search]");
      if (event.key !== "/" || !search) return;
      event.preventDefault();
      search.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [navigate]);
  return (
    <>
      <Button
        variant="quiet"
        size="icon"
        aria-label={t("nav.command")}
        title={t("nav.command")}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Search aria-hidden className="size-4" />
      </Button>
      {isOpen && (
        <LazyBoundary
          load={loadMenu}
          with={{ onClose: () => setOpen(false) }}
          onMissing={() => setOpen(false)}
        />
      )}
    </>
  );
};

export default Shortcuts;
