import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button";
import { LazyBoundary } from "../components/lazy-boundary";
import { loadTexts } from "../lib/i18n";
import { replayEarlyKeys } from "./early-keys";
import { useNavigation } from "./navigation";
import { GO, GO_MS, HELP, isMenuKey, isPlainKey, SEARCH } from "./shortcut-keys";

const loadMenu = async () => {
  const menu = await import("./command-menu");
  await menu.loadCommandTexts();
  return menu;
};

const loadWindow = async () => {
  const window = await import("./shortcut-window");
  await loadTexts(["commands"]);
  return window;
};

/** The shortcuts of every page, and a button for the command menu. */
const Shortcuts = () => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const sections = useNavigation();
  const [open, setOpen] = useState<"menu" | "keys">();
  const close = () => setOpen(undefined);
  const goneAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isMenuKey(event)) {
        event.preventDefault();
        setOpen((before) => (before === "menu" ? undefined : "menu"));
        return;
      }
      // An open window or menu handles the keys.
      if (!isPlainKey(event) || document.querySelector("[role=dialog], [role=alertdialog], [role=menu]"))
        return;
      const section = sections.find(({ key }) => key === event.key);
      if (section && event.timeStamp - goneAt.current < GO_MS) void navigate({ to: section.to });
      goneAt.current = event.key === GO ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (event.key === HELP) setOpen("keys");
      const search = document.querySelector<HTMLElement>("input[type=search]");
      if (event.key !== SEARCH || !search) return;
      event.preventDefault();
      search.focus();
    };
    document.addEventListener("keydown", onKey);
    replayEarlyKeys();
    return () => document.removeEventListener("keydown", onKey);
  }, [navigate, sections]);
  return (
    <>
      <Button
        variant="quiet"
        size="icon"
        aria-label={t("nav.command")}
        title={t("nav.command")}
        aria-haspopup="dialog"
        onClick={() => setOpen("menu")}
      >
        <Search aria-hidden className="size-4" />
      </Button>
      {open === "menu" && (
        <LazyBoundary
          load={loadMenu}
          with={{ onClose: close, onShowKeys: () => setOpen("keys") }}
          onMissing={close}
        />
      )}
      {open === "keys" && <LazyBoundary load={loadWindow} with={{ onClose: close }} onMissing={close} />}
    </>
  );
};

export default Shortcuts;
