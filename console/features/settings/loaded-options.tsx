import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PanelLoading } from "../../components/panel-loading";
import type { OptionValues } from "./option-changes";
import { optionsQuery } from "./options-query";

/** A tab of site settings: shows a placeholder while they load, or the failure. */
export const LoadedOptions = ({ children }: { children: (stored: OptionValues) => ReactNode }) => {
  const { data, error, refetch } = useQuery(optionsQuery);
  if (data) return <div className="flex flex-col gap-4">{children(data)}</div>;
  return <PanelLoading error={error} onRetry={() => void refetch()} />;
};
