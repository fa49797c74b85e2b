import { Outlet } from "@tanstack/react-router";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "../components/admins-only";
import { LazyBoundary } from "../components/lazy-boundary";
import { Panel } from "../components/page-frame";
import { ReadOnly } from "../lib/read-only";
import { useSession } from "../lib/session";
import { useFollowPermissions } from "./follow-permissions";
import { Footer } from "./footer";
import { Header } from "./header";
import { useCurrentPage, usePageRight } from "./navigation";
import { PresenceAsked } from "./presence-asked";
import { Rail } from "./rail";
import { TermsDue } from "./terms-due";

// Loaded in parallel with the page: messages wait in a queue until then.
const loadToaster = async () => ({ default: (await import("../components/toaster")).Toaster });

/** The page at the address, as far as the administrator's set of permissions includes it. */
const Content = () => {
  const { t } = useTranslation();
  const right = usePageRight();
  if (right === "none")
    return (
      <Panel>
        <AdminsOnly title={t("narrowed.pageRefused")} />
      </Panel>
    );
  return (
    <ReadOnly value={right === "read"}>
      <Outlet />
    </ReadOnly>
  );
};

/** The frame of every page. */
export const Frame = () => {
  const { t } = useTranslation();
  const { user } = useSession();
  useFollowPermissions();
  const current = useCurrentPage();
  const { section, page } = current;
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-accent-ink focus:translate-y-0"
      >
        {t("nav.skip")}
      </a>
      <Header {...current} />
      <div className="flex flex-1 flex-col rail:flex-row">
        {section && section.pages.length > 1 ? (
          <Rail section={section} current={page} />
        ) : (
          section?.isUncertain && <div className="h-9 shrink-0 max-wide:h-11 rail:w-48" />
        )}
        <main
          id="content"
          tabIndex={-1}
          // The footer stays below the screen until the page has loaded, so that it does not jump.
          className={clsx(
            "mx-auto w-full min-w-0 max-w-[2400px] flex-1 px-4 py-5 outline-none wide:px-5",
            user ? "min-h-dvh" : "max-wide:min-h-dvh",
          )}
        >
          <Content />
        </main>
      </div>
      <Footer />
      <TermsDue />
      <PresenceAsked />
      <LazyBoundary load={loadToaster} with={{}} />
    </div>
  );
};
