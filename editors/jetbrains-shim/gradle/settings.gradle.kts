import org.jetbrains.intellij.platform.gradle.extensions.intellijPlatform

// The build with an IDE, for those who can reach JetBrains' repositories: ./gradlew buildPlugin runIde verifyPlugin
plugins {
    id("org.jetbrains.intellij.platform.settings") version "2.18.1"
}

rootProject.name = "wave-bridge-jetbrains"

dependencyResolutionManagement {
    repositories {
        mavenCentral()
        intellijPlatform { defaultRepositories() }
    }
}
