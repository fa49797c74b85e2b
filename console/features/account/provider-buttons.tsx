import { beginProviderSignIn } from "@tollgate/contract/api/sign-in-providers";
import type { OfferedProvider } from "@tollgate/contract/api/status";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { useEndpoint } from "../../lib/use-endpoint";
import { openPage } from "./open-consent";
import { SignInIcon } from "./sign-in-icon";

interface ProviderButtonProps {
  slug: string;
  className?: string;
  children: ReactNode;
}

/** Leaves for the consent page of a provider, which redirects to /oauth/<slug>. */
export const ProviderButton = ({ slug, className, children }: ProviderButtonProps) => {
  const begin = useEndpoint(beginProviderSignIn, { onAnswer: ({ address }) => openPage(new URL(address)) });
  return (
    <Button className={className} isBusy={begin.isPending} onClick={() => begin.mutate({ params: { slug } })}>
      {children}
    </Button>
  );
};

/** The sign-in page's buttons of the providers that root has added. */
const ProviderButtons = ({ providers }: { providers: readonly OfferedProvider[] }) => {
  const { t } = useTranslation();
  return providers.map(({ slug, name }) => (
    <ProviderButton key={slug} slug={slug} className="w-full">
      <SignInIcon />
      <span className="truncate">{t("login.by", { method: name })}</span>
    </ProviderButton>
  ));
};

export default ProviderButtons;
