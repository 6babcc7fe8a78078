export { ConsoleView as default } from '@/app/features/console/view'
export const metadata = { title: 'Console' }
