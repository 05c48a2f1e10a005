import org.jetbrains.intellij.platform.gradle.TestFrameworkType

// The same sources as the Maven build, against a real IDE instead of api-stubs. Never run by this repository's tests.
plugins {
    java
    id("org.jetbrains.intellij.platform")
}

version = "0.1.0"

dependencies {
    intellijPlatform {
        val installed = providers.gradleProperty("localIdePath").orNull
        if (installed != null) local(installed) else intellijIdea("2025.3")
        bundledPlugin("org.jetbrains.plugins.terminal")
        bundledModule("intellij.terminal.frontend")
        pluginVerifier()
        zipSigner()
        testFramework(TestFrameworkType.Platform)
    }
    implementation("org.eclipse.lsp4j:org.eclipse.lsp4j.jsonrpc:0.24.0") { exclude(group = "com.google.code.gson") }
}

sourceSets.main {
    java.srcDirs("../core/src/main/java", "../ide/src/main/java")
    resources.srcDirs("../core/src/main/resources", "../ide/src/main/resources")
}

// What editors/panel was built to.
tasks.processResources {
    from("../../../wave_bridge/web/assets") { into("panel") }
}

// -PwaveCli=…: the folder of a Wave CLI build that the plugin brings.
providers.gradleProperty("waveCli").orNull?.let { cli ->
    tasks.processResources { from("../ide/src/bundled") }
    tasks.prepareSandbox { from(cli) { into("${rootProject.name}/wave-cli") } }
}

tasks.withType<JavaCompile> { options.release = 17 }

intellijPlatform {
    instrumentCode = false
    pluginConfiguration {
        ideaVersion {
            sinceBuild = "242"
            untilBuild = provider { null }
        }
    }
    pluginVerification { ides { recommended() } }
}
