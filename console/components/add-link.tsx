import { Link, type LinkProps } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { buttonVariants } from "./button";

/** The main button of a list: leads to the form of a new record. */
export const AddLink = ({ to, children }: { to: LinkProps["to"]; children: ReactNode }) => (
  <Link to={to} className={buttonVariants({ variant: "primary" })}>
    <Plus aria-hidden className="size-4" />
    {children}
  </Link>
);
