import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ChevronDown, Menu as MenuIcon, X } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonProps, buttonVariants } from "../components/button";
import { Late } from "../components/late-popup";
import { LazyBoundary } from "../components/lazy-boundary";
import { loadTexts } from "../lib/i18n";
import { subscribeStored } from "../lib/local-store";
import { shownName, useSession } from "../lib/session";
import { siteLogo, systemName } from "../lib/status";
import { useNarrow } from "../lib/use-narrow";
import { Appearance } from "./appearance";
import { EarlyKeys } from "./early-keys";
import type { CurrentPage } from "./navigation";
import { bringIntoView } from "./rail";

/** The bar above every page: site name, menu and logged-in user. */
export const Header = (props: CurrentPage) => {
  const isNarrow = useNarrow();
  return (
    <header className="sticky top-0 z-20 border-line border-b bg-surface print:hidden">
      {isNarrow ? <NarrowHeader {...props} /> : <WideHeader {...props} />}
    </header>
  );
};

// Loaded in parallel with the page.
const loadShortcuts = () => import("./shortcuts");

const LateShortcuts = () => <LazyBoundary load={loadShortcuts} with={{}} fallback={<EarlyKeys />} />;

const Brand = () => {
  const name = useSyncExternalStore(subscribeStored, systemName);
  const logo = useSyncExternalStore(subscribeStored, siteLogo);
  return (
    <Link to="/" className="flex min-w-0 shrink-0 items-center gap-2.5 rounded-md py-1 font-semibold text-lg">
      <img src={logo} alt="" className="size-7 shrink-0 rounded-sm object-contain" />
      {/* Between phone and wide screen the menu needs this space. */}
      <span className="max-w-48 truncate wide:max-rail:sr-only">{name}</span>
    </Link>
  );
};

const WideHeader = ({ sections, section: current }: CurrentPage) => {
  const { t } = useTranslation();
  const { user } = useSession();
  return (
    <div className="flex h-header items-center gap-x-4 px-4 wide:px-5">
      <Brand />
      <nav
        aria-label={t("nav.main")}
        className="relative flex min-w-0 flex-1 overflow-x-auto [scrollbar-width:none]"
      >
        {sections.map((section) => (
          <Link
            key={section.label}
            to={section.to}
            ref={section === current ? bringIntoView : undefined}
            aria-current={section === current ? "true" : undefined}
            activeOptions={{ exact: true }}
            className="flex h-header shrink-0 items-center whitespace-nowrap border-transparent border-y-2 px-2.5 text-sm text-ink-2 hover:text-ink aria-[current]:border-b-accent aria-[current]:font-medium aria-[current]:text-ink"
          >
            {t(section.label)}
          </Link>
        ))}
      </nav>
      <div className="flex shrink-0 items-center gap-1">
        {user ? (
          <>
            <LateShortcuts />
            <Late trigger={<UserButton name={shownName(user)} />} load={loadUserMenu} with={{}} />
          </>
        ) : (
          <>
            <Appearance />
            <Link to="/login" className={clsx(buttonVariants({ variant: "plain" }), "ms-2")}>
              {t("nav.login")}
            </Link>
          </>
        )}
      </div>
    </div>
  );
};

const loadUserMenu = async () => {
  const [menu] = await Promise.all([import("./user-menu"), loadTexts(["commands"])]);
  return menu;
};

const UserButton = ({ name, ...rest }: ButtonProps & { name: string }) => (
  <Button variant="quiet" className="ms-1 text-ink" {...rest}>
    {name}
    <ChevronDown aria-hidden className="size-3.5 text-ink-3" />
  </Button>
);

// Wide screens never open it.
const loadNarrowMenu = () => import("./narrow-menu");

const NarrowHeader = (props: CurrentPage) => {
  const { t } = useTranslation();
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <div className="flex h-header items-center gap-1 px-3">
        <div className="me-auto flex min-w-0 ps-1">
          <Brand />
        </div>
        {user && <LateShortcuts />}
        <Button
          variant="quiet"
          size="icon"
          aria-label={t("nav.menu")}
          aria-expanded={isOpen}
          aria-controls={isOpen ? "narrow-menu" : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <X aria-hidden className="size-5" /> : <MenuIcon aria-hidden className="size-5" />}
        </Button>
      </div>
      {isOpen && <LazyBoundary load={loadNarrowMenu} with={{ ...props, onClose: close }} onMissing={close} />}
    </>
  );
};
