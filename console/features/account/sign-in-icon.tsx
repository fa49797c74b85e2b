import type { SignInMethodName } from "@tollgate/contract/sign-in/methods";
import { CodeXml, LogIn, type LucideIcon, MessageCircle } from "lucide-react";

/** Methods with a specific icon on their button. */
const ICONS: Readonly<Partial<Record<SignInMethodName, LucideIcon>>> = {
  github: CodeXml,
  wechat: MessageCircle,
};

export const SignInIcon = ({ method }: { method: SignInMethodName }) => {
  const Icon = ICONS[method] ?? LogIn;
  return <Icon aria-hidden className="size-4" />;
};
