import type { ReactNode } from "react";

/** The buttons at the end of a row. Where the table is wider than the screen they take two lines, to leave it room. */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center wide:-ms-2 wide:max-lg:w-52 lg:flex-nowrap">{children}</div>
);
