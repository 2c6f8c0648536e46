import react from '@vitejs/plugin-react'
import { maiModal } from 'mai-modal/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [react(), maiModal()] })
