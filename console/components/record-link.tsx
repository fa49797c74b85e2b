import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import type { ReactNode } from "react";

/** Kinds of records with a page. */
const PAGES = {
  channel: "/channel/$id",
  model: "/model/$name",
  order: "/order/$number",
  token: "/token/$id",
  user: "/user/$id",
} as const;
const PARAMETERS = { channel: "id", model: "name", order: "number", token: "id", user: "id" } as const;
export type RecordKind = keyof typeof PAGES;

interface RecordLinkProps {
  kind: RecordKind;
  /** An id, a model's name or an order's number. Without one, only the children are shown. */
  id: string | number | undefined;
  /** Its name, the id by default. */
  children?: ReactNode;
  title?: string;
  className?: string;
}

/** The name of a record, as a link to its page. */
export const RecordLink = ({ kind, id, children, title, className }: RecordLinkProps) => {
  if (id === undefined || id === "" || id === 0) return <>{children}</>;
  return (
    <Link
      to={PAGES[kind]}
      params={{ [PARAMETERS[kind]]: String(id) } as never}
      title={title}
      className={clsx("touch underline-offset-2 hover:text-accent hover:underline", className)}
    >
      {children ?? id}
    </Link>
  );
};
