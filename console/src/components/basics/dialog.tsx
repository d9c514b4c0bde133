import { Dialog as ArkDialog } from '@ark-ui/solid/dialog';
import X from 'lucide-solid/icons/x';
import type { JSX } from 'solid-js';
import { Portal } from 'solid-js/web';
import { words } from '../../words.ts';
import { IconButton } from './button.tsx';

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: string;
  /** A question that must be answered rather than clicked away. */
  readonly role?: 'dialog' | 'alertdialog';
  /** For something to read rather than to fill in. */
  readonly wide?: boolean;
  readonly children: JSX.Element;
}

/** A click beside it does not close it: half-filled forms and tokens that are shown once must not vanish by accident. */
export function Dialog(props: DialogProps) {
  return (
    <ArkDialog.Root
      open={props.open}
      onOpenChange={({ open }) => !open && props.onClose()}
      role={props.role ?? 'dialog'}
      closeOnInteractOutside={false}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <ArkDialog.Backdrop class="fixed inset-0 z-40 bg-scrim" />
        <ArkDialog.Positioner class="fixed inset-0 z-50 flex items-end justify-center overflow-y-auto p-3 sm:items-center sm:p-6">
          <ArkDialog.Content
            class="w-full rounded-lg border border-line bg-raised p-5 shadow-raised outline-none"
            classList={{ 'max-w-md': !props.wide, 'max-w-3xl': props.wide }}
          >
            <div class="mb-4 flex items-start justify-between gap-4">
              <div class="min-w-0">
                <ArkDialog.Title class="text-lg font-semibold wrap-anywhere">{props.title}</ArkDialog.Title>
                <ArkDialog.Description class="mt-1 wrap-anywhere text-muted empty:hidden">
                  {props.description}
                </ArkDialog.Description>
              </div>
              <ArkDialog.CloseTrigger
                asChild={(closeProps) => (
                  <IconButton label={words.frame.close} {...closeProps()} class="-mt-1 -mr-1">
                    <X class="size-4" aria-hidden="true" />
                  </IconButton>
                )}
              />
            </div>
            {props.children}
          </ArkDialog.Content>
        </ArkDialog.Positioner>
      </Portal>
    </ArkDialog.Root>
  );
}
