import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { siteLogo, systemName, useStatus } from "../../lib/status";

interface AccountCardProps {
  title: string;
  /** Shown below the title. */
  lead?: ReactNode;
  children: ReactNode;
}

/** The narrow card of the pages for visitors. */
export const AccountCard = ({ title, lead, children }: AccountCardProps) => (
  <div className="mx-auto flex w-full max-w-[384px] flex-col gap-5 py-6 wide:py-14">
    <div className="flex flex-col items-center gap-3 text-center">
      <img src={siteLogo()} alt="" className="size-12 rounded-lg object-contain" />
      <h1 className="font-semibold text-xl">{title}</h1>
      {lead ?? <p className="sr-only">{systemName()}</p>}
    </div>
    <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-5 wide:p-6">
      {children}
    </div>
  </div>
);

/** The site's name and description. */
export const SiteLead = () => {
  const { t } = useTranslation();
  const slogan = useStatus()?.system_slogan || t("login.slogan");
  return (
    <p className="-mt-2 break-words text-pretty text-sm text-ink-2">
      {systemName()} · {slogan}
    </p>
  );
};
