import { Link, type LinkProps } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useReadOnly } from "../lib/read-only";
import { buttonVariants } from "./button";

/** The main button of a list: leads to the form of a new record. Absent where records may only be read. */
export const AddLink = ({ to, children }: { to: LinkProps["to"]; children: ReactNode }) =>
  useReadOnly() ? null : (
    <Link to={to} className={buttonVariants({ variant: "primary" })}>
      <Plus aria-hidden className="size-4" />
      {children}
    </Link>
  );
