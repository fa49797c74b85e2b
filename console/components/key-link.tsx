import { Link } from "@tanstack/react-router";
import { useSession } from "../lib/session";

interface KeyLinkProps {
  /** By which the log identifies keys. */
  name: string;
  /** The key's owner, where the answer says it: an administrator also reads of others' keys. */
  userId?: number | undefined;
}

const LOOK = "touch underline-offset-2 hover:text-accent hover:underline";

/** The name of a key in the log, as a link to the list that has the key: the reader's own, or its owner's. */
export const KeyLink = ({ name, userId = 0 }: KeyLinkProps) => {
  const { user, isAdmin } = useSession();
  if (name === "") return null;
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
