import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../components/button";
import { shownName, useSession } from "../lib/session";
import { usePanel } from "../lib/use-panel";
import { Appearance } from "./appearance";
import type { CurrentPage, Page, Section } from "./navigation";
import { useSignOut } from "./use-sign-out";

/** The menu of a phone: the sections, one of which is expanded, and the entries of the user menu. */
const NarrowMenu = ({ sections, section: current, page, onClose }: CurrentPage & { onClose: () => void }) => {
  const { t } = useTranslation();
  const { user } = useSession();
  const [open, setOpen] = useState(current?.label);
  const panel = usePanel<HTMLDivElement>(onClose);
  return (
    <div
      ref={panel}
      id="narrow-menu"
      tabIndex={-1}
      className="absolute inset-x-0 top-full max-h-[calc(100dvh-100%)] overflow-y-auto border-line border-y bg-surface px-3 pt-2 pb-4 shadow-float outline-none"
    >
      <nav aria-label={t("nav.main")} className="flex flex-col">
        {sections.map((section) =>
          section.pages.length === 1 ? (
            <PageLink
              key={section.label}
              page={section.pages[0]}
              label={t(section.label)}
              isCurrent={section === current}
              onClick={onClose}
              className="font-medium"
            />
          ) : (
            <SectionPages
              key={section.label}
              section={section}
              page={page}
              isOpen={open === section.label}
              onToggle={() => setOpen(open === section.label ? undefined : section.label)}
              onClose={onClose}
            />
          ),
        )}
      </nav>
      <div className="mt-3 flex items-center gap-2 border-line border-t px-1 pt-3">
        {user && <span className="min-w-0 flex-1 truncate px-2 text-ink-2">{shownName(user)}</span>}
        <Appearance />
        {user && <LogOutButton onClose={onClose} />}
      </div>
      {!user && <GuestLinks onClose={onClose} />}
    </div>
  );
};

const LINK =
  "flex h-11 items-center rounded-md px-3 text-lg text-ink-2 aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent";

interface PageLinkProps {
  page: Page | undefined;
  label: string;
  isCurrent: boolean;
  onClick: () => void;
  className?: string;
}

const PageLink = ({ page, label, isCurrent, onClick, className }: PageLinkProps) => (
  <Link
    to={page?.to}
    aria-current={isCurrent ? "page" : undefined}
    activeOptions={{ exact: true }}
    onClick={onClick}
    className={clsx(LINK, className)}
  >
    {label}
  </Link>
);

interface SectionPagesProps {
  section: Section;
  page: Page | undefined;
  isOpen: boolean;
  onToggle: () => void;
  onClose: () => void;
}

const SectionPages = ({ section, page, isOpen, onToggle, onClose }: SectionPagesProps) => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
        className={clsx(LINK, "justify-between font-medium")}
      >
        {t(section.label)}
        <ChevronDown
          aria-hidden
          className={clsx("size-4 text-ink-3 transition-transform", isOpen && "rotate-180")}
        />
      </button>
      <div id={id} hidden={!isOpen} className="mb-1 ms-3 border-line border-s ps-2">
        {section.groups.map(({ label, pages }) => (
          <div key={label ?? ""}>
            {label && <p className="px-3 pt-2 text-xs text-ink-3">{t(label)}</p>}
            {pages.map((each) => (
              <PageLink
                key={each.to}
                page={each}
                label={t(each.label)}
                isCurrent={each === page}
                onClick={onClose}
              />
            ))}
          </div>
        ))}
      </div>
    </>
  );
};

const LogOutButton = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const logOut = useSignOut();
  return (
    <Button
      className="h-11"
      onClick={() => {
        onClose();
        void logOut();
      }}
    >
      {t("nav.logout")}
    </Button>
  );
};

const GuestLinks = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <div className="mt-3 flex gap-2 px-1">
      <Link
        to="/login"
        onClick={onClose}
        className={clsx(buttonVariants({ variant: "primary" }), "h-11 flex-1")}
      >
        {t("nav.login")}
      </Link>
      <Link
        to="/register"
        onClick={onClose}
        className={clsx(buttonVariants({ variant: "plain" }), "h-11 flex-1")}
      >
        {t("nav.register")}
      </Link>
    </div>
  );
};

export default NarrowMenu;
