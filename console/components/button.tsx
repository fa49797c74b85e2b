import { cva, type VariantProps } from "class-variance-authority";
import { clsx } from "clsx";
import { LoaderCircle } from "lucide-react";
import type { ComponentProps, MouseEvent } from "react";

/** Button styles, also for links that act as buttons. */
export const buttonVariants = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium transition-colors disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50",
  {
    variants: {
      variant: {
        primary:
          "border-transparent bg-accent text-accent-ink not-disabled:hover:bg-accent-hover aria-disabled:pointer-events-none",
        plain: "border-line-strong bg-surface text-ink not-disabled:hover:bg-hover",
        quiet:
          "border-transparent text-ink-2 not-disabled:hover:bg-hover not-disabled:hover:text-ink data-popup-open:bg-hover data-popup-open:text-ink",
        danger: "border-transparent bg-red text-surface not-disabled:hover:bg-red-hover",
        quietDanger: "border-transparent text-red not-disabled:hover:bg-red-soft",
      },
      size: {
        medium: "h-control px-3 text-sm",
        small: "touch h-control-small px-2 text-sm",
        icon: "size-control p-0",
        smallIcon: "touch h-control-small w-control-tiny p-0",
      },
    },
    defaultVariants: { variant: "plain", size: "medium" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonVariants> {
  /** Shows a spinner and ignores clicks. It keeps the focus, which a disabled button would lose. */
  isBusy?: boolean;
}

/** Also keeps a form from being submitted again. */
const ignore = (event: MouseEvent): void => event.preventDefault();

export const Button = ({ variant, size, isBusy, className, children, ...rest }: ButtonProps) => (
  <button
    type="button"
    className={clsx(buttonVariants({ variant, size }), className)}
    {...rest}
    {...(isBusy ? { "aria-busy": true, "aria-disabled": true, onClick: ignore } : {})}
  >
    {isBusy && <LoaderCircle aria-hidden className="size-3.5 animate-[spin_0.9s_linear_infinite]" />}
    {children}
  </button>
);
