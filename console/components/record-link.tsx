import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import type { ReactNode } from "react";

/** Kinds of records that have a page of their own. */
const PAGES = {
  channel: "/channel/$id",
  model: "/model/$name",
  token: "/token/$id",
  user: "/user/$id",
} as const;
export type RecordKind = keyof typeof PAGES;

interface RecordLinkProps {
  kind: RecordKind;
  /** Its number; a model's name. Without one, only the children are shown. */
  id: string | number | undefined;
  /** Its name, the id by default. */
  children?: ReactNode;
  title?: string;
  className?: string;
}

/** The name of a record, which leads to its page. */
export const RecordLink = ({ kind, id, children, title, className }: RecordLinkProps) => {
  if (id === undefined || id === "" || id === 0) return <>{children}</>;
  return (
    <Link
      to={PAGES[kind]}
      params={kind === "model" ? { name: String(id) } : { id: String(id) }}
      title={title}
      className={clsx("underline-offset-2 hover:text-accent hover:underline", className)}
    >
      {children ?? id}
    </Link>
  );
};
