import { useQuery } from "@tanstack/react-query";
import { getOwnTerms } from "@tollgate/contract/api/terms";
import { useState } from "react";
import { LazyBoundary } from "../components/lazy-boundary";
import { endpointQuery } from "../lib/endpoint-query";
import { loadTexts } from "../lib/i18n";
import { useSession } from "../lib/session";
import { useStatus } from "../lib/status";

const loadWindow = async () => {
  const [window] = await Promise.all([import("../features/terms/terms-window"), loadTexts(["terms"])]);
  return window;
};

/** Asks a signed-in user once a visit for the terms that the user must accept. */
export const TermsDue = () => {
  const { user, isAdmin } = useSession();
  const version = useStatus()?.terms_version ?? 0;
  return user !== undefined && !isAdmin && version > 0 ? <OwnTerms key={`${user.id} ${version}`} /> : null;
};

const OwnTerms = () => {
  const { data } = useQuery({ ...endpointQuery(getOwnTerms, {}), meta: { silent: true } });
  const [isClosed, setClosed] = useState(false);
  if (!data?.isDue || isClosed) return null;
  const close = () => setClosed(true);
  return (
    <LazyBoundary
      load={loadWindow}
      with={{ version: data.version, isAgain: data.acceptedVersion > 0, onClose: close }}
      onMissing={close}
    />
  );
};
