import { useLocation, useNavigate } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { loadTexts } from "../lib/i18n";
import { useSavedViews, viewSearch } from "../lib/saved-views";
import type { LateTrigger } from "./late-popup";
import { LazyBoundary } from "./lazy-boundary";
import { Menu } from "./menu";

const loadWindow = () => import("./saved-views-window");

/** Loads the menu with its texts. */
export const loadSavedViews = async () => {
  await loadTexts(["views"]);
  return { default: SavedViews };
};

/** The saved views of the shown list: to pick one, or to save the current state. */
const SavedViews = ({ trigger, isOpenAtFirst }: LateTrigger) => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname, searchStr } = useLocation();
  const { views } = useSavedViews();
  const [isOpen, setOpen] = useState(false);
  const search = viewSearch(searchStr);
  return (
    <>
      <Menu
        trigger={trigger}
        isOpenAtFirst={isOpenAtFirst}
        entries={[
          ...views
            .filter(({ path }) => path === pathname)
            .map((view) => ({
              label: view.name,
              icon: <Check aria-hidden className={view.search === search ? "size-4" : "invisible size-4"} />,
              onSelect: () => void navigate({ href: view.path + view.search }),
            })),
          { label: t("views.manage"), opensWindow: true, onSelect: () => setOpen(true) },
        ]}
      />
      {isOpen && (
        <LazyBoundary
          load={loadWindow}
          with={{ path: pathname, search, onClose: () => setOpen(false) }}
          onMissing={() => setOpen(false)}
        />
      )}
    </>
  );
};
