import { Link } from "@tanstack/react-router";
import { useSession } from "../lib/session";
import { RecordLink } from "./record-link";

interface KeyLinkProps {
  /** The key, where the answer says it. */
  id?: number | undefined;
  name: string;
  /** The key's owner, where the answer says it: an administrator also reads of others' keys. */
  userId?: number | undefined;
}

const LOOK = "touch underline-offset-2 hover:text-accent hover:underline";

/** The name of a key in the log, as a link to its page, or to the list that has it: the reader's own, or its owner's. */
export const KeyLink = ({ id = 0, name, userId = 0 }: KeyLinkProps) => {
  const { user, isAdmin } = useSession("users");
  if (name === "") return null;
  // No key is stored for the playground, so there is no page of one to link to.
  if (id < 0) return <>{name}</>;
  if (id > 0) {
    return (
      <RecordLink kind="token" id={id}>
        {name}
      </RecordLink>
    );
  }
  if (!isAdmin || userId === user?.id) {
    return (
      <Link to="/token" search={{ q: name } as never} className={LOOK}>
        {name}
      </Link>
    );
  }
  if (userId === 0) return <>{name}</>;
  return (
    <Link to="/user/$id" params={{ id: String(userId) }} search={{ tab: "keys" } as never} className={LOOK}>
      {name}
    </Link>
  );
};
