import type { NoticeTexts } from '../../../ui/texts/notices/en.ts'

/**
 * @param input the type of an input that could not be handled
 * @returns the notice for the person; undefined for inputs that no person gave or waits for
 */
export function droppedWords(t: NoticeTexts, input: string): string | undefined {
  if (input === 'connection.retry') return t.retryFailed
  const [subject = ''] = input.split('.')
  if (subject === 'wallet') return t.answerUnused
  if (subject === 'relay') return t.messageUnused
  // No person gave these inputs; where an answer is missing, its screen says so
  if (['core', 'timer', 'clock', 'page', 'vault', 'directory', 'chain', 'effect'].includes(subject)) return undefined
  return t.notDone
}
