import type { ReactNode } from "react";
import { siteLogo, systemName } from "../../lib/status";

/** The narrow card of the pages for people who are not logged in. */
export const AccountCard = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="mx-auto flex w-full max-w-[384px] flex-col gap-5 py-6 wide:py-14">
    <div className="flex flex-col items-center gap-3 text-center">
      <img src={siteLogo()} alt="" className="size-12 rounded-lg object-contain" />
      <h1 className="font-semibold text-xl">{title}</h1>
      <p className="sr-only">{systemName()}</p>
    </div>
    <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-5 wide:p-6">
      {children}
    </div>
  </div>
);
