import { type JSX, splitProps } from 'solid-js';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';

const looks: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover disabled:bg-sunken disabled:text-muted',
  secondary:
    'border border-line bg-surface text-text hover:border-control disabled:text-faint disabled:hover:border-line',
  ghost: 'text-muted hover:bg-sunken hover:text-text disabled:text-faint disabled:hover:bg-transparent',
  danger: 'border border-failure-line bg-failure-soft text-failure hover:border-failure',
};

export function buttonClass(variant: ButtonVariant, size: 'small' | 'normal' = 'normal'): string {
  const dimensions = size === 'small' ? 'h-7 px-2 text-sm gap-1.5' : 'h-8 px-3 gap-2';
  return `inline-flex items-center justify-center shrink-0 whitespace-nowrap rounded-md font-medium transition-colors ${dimensions} ${looks[variant]}`;
}

interface ButtonProps extends JSX.ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: ButtonVariant;
  readonly size?: 'small' | 'normal';
}

export function Button(props: ButtonProps) {
  const [own, rest] = splitProps(props, ['variant', 'size', 'class']);
  return (
    <button
      type="button"
      {...rest}
      class={`${buttonClass(own.variant ?? 'secondary', own.size ?? 'normal')} ${own.class ?? ''}`}
    />
  );
}

interface IconButtonProps extends JSX.ButtonHTMLAttributes<HTMLButtonElement> {
  /** What the button does, for people who do not see the icon. */
  readonly label: string;
}

export function IconButton(props: IconButtonProps) {
  const [own, rest] = splitProps(props, ['label', 'class']);
  return (
    <button
      type="button"
      {...rest}
      aria-label={own.label}
      title={own.label}
      class={`inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-sunken hover:text-text ${own.class ?? ''}`}
    />
  );
}
