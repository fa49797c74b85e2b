import type { SignInMethodName } from "@tollgate/contract/sign-in/methods";
import { CodeXml, LogIn, type LucideIcon, MessageCircle } from "lucide-react";

/** Methods with a specific icon on their button. */
const ICONS: Readonly<Partial<Record<SignInMethodName, LucideIcon>>> = {
  github: CodeXml,
  wechat: MessageCircle,
};

/** @param method undefined for a provider. */
export const SignInIcon = ({ method }: { method?: SignInMethodName }) => {
  const Icon = (method && ICONS[method]) ?? LogIn;
  return <Icon aria-hidden className="size-4" />;
};
